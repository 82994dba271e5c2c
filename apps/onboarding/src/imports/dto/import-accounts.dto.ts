import { McpProperty } from '@dacapo/mcp';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, ValidateNested } from 'class-validator';
import { ImportRowDto } from './import-row.dto.js';

const MAX_ROWS = 500;

/** What `importAccounts` opens accounts from. */
export class ImportAccountsDto {
  @McpProperty({
    description:
      'Accounts to open, such as [{"holder":"Analytical Engines","email":"ada@example.com","plan":"team"}]',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ROWS)
  @ValidateNested({ each: true })
  @Type(() => ImportRowDto)
  rows!: ImportRowDto[];
}
