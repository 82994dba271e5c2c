import { IsString, Length } from 'class-validator';

/** What `closeAccount` wants to know before it asks. */
export class CloseAccountDto {
  @IsString()
  @Length(1, 40)
  id!: string;
}
