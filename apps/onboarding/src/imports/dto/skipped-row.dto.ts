import { IsEmail, IsInt, IsString, Min } from 'class-validator';

/** A row of which no account was opened. */
export class SkippedRowDto {
  /** From 1. */
  @IsInt()
  @Min(1)
  row!: number;

  @IsEmail()
  email!: string;

  @IsString()
  reason!: string;
}
