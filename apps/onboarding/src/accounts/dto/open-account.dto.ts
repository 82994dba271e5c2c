import { IsInt, IsString, Length, Max, Min } from 'class-validator';
import { MAX_SEATS } from '../../plans/plans.service.js';

/** What `openAccount` wants to know before it asks. */
export class OpenAccountDto {
  /** The person or company the account is for. */
  @IsString()
  @Length(2, 80)
  holder!: string;

  @IsInt()
  @Min(1)
  @Max(MAX_SEATS)
  seats = 1;
}
