import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsString, ValidateNested } from 'class-validator';
import { SkippedRowDto } from './skipped-row.dto.js';

/** What became of an import. */
export class ImportReportDto {
  /** True when the user would rather have nothing opened. */
  @IsBoolean()
  stopped!: boolean;

  /** The ids of the new accounts, in the order of their rows. */
  @IsString({ each: true })
  opened!: string[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SkippedRowDto)
  skipped!: SkippedRowDto[];
}
