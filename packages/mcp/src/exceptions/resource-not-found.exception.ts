import { InvalidParamsException } from './invalid-params.exception.js';

/** No resource and no template answers to a uri, or its caller may not know of it (-32602). */
export class ResourceNotFoundException extends InvalidParamsException {
  constructor(readonly uri: string) {
    super(`Resource not found: ${uri}`, { uri });
  }
}
