import { Type } from 'class-transformer';
import { IsArray, ValidateNested } from 'class-validator';
import { AccountDto } from './account.dto.js';

/** What `listAccounts` answers. */
export class AccountListDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AccountDto)
  accounts!: AccountDto[];
}
