import { IsEmail, IsIn, IsString, Length, MaxLength } from 'class-validator';
import { PLAN_IDS, type PlanId } from '../../plans/plan.js';

/** An account to open: it begins with one seat, paid monthly. */
export class ImportRowDto {
  /** The person or company the account is for. */
  @IsString()
  @Length(2, 80)
  holder!: string;

  @IsEmail()
  @MaxLength(120)
  email!: string;

  @IsIn(PLAN_IDS)
  plan!: PlanId;
}
