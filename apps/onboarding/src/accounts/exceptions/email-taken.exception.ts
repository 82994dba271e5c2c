import { ConflictException } from '@nestjs/common';

/** An open account has this address. */
export class EmailTakenException extends ConflictException {
  constructor(email: string) {
    super(`There is an open account for ${email} already. Use another e-mail address.`);
  }
}
