/** The protocol revision this package speaks. */
export const PROTOCOL_VERSION = '2026-07-28';

/** Every revision the server accepts, newest first. */
export const SUPPORTED_PROTOCOL_VERSIONS: readonly string[] = [PROTOCOL_VERSION];
