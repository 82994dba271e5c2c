import { InvalidAskException } from '../exceptions/index.js';

/** @throws InvalidAskException when the user would read nothing */
export function checkMessage(message: string): void {
  if (message.trim() !== '') return;
  throw new InvalidAskException(
    'A question has no message',
    'Say what the user is asked for, and why',
  );
}
