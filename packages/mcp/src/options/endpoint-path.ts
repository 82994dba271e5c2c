import type { ResolvedHttpOptions } from './resolved-options.js';

/** The path a server is reached by: with the application's prefix, if it is to stand under it. */
export function endpointPath(
  { path, useGlobalPrefix }: Pick<ResolvedHttpOptions, 'path' | 'useGlobalPrefix'>,
  globalPrefix: string,
): string {
  const prefix = useGlobalPrefix ? globalPrefix.replace(/^\/|\/$/g, '') : '';
  return prefix === '' ? path : `/${prefix}${path}`;
}
