const EXTENDED = /(?:^|;)\s*filename\*\s*=\s*UTF-8'[^']*'([^;]+)/i;
const PLAIN = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i;

/** The file name in a `Content-Disposition` (RFC 6266), without any folders. */
export function dispositionName(
  disposition: string | readonly string[] | undefined,
): string | undefined {
  if (disposition === undefined) return undefined;
  const text = typeof disposition === 'string' ? disposition : disposition.join('; ');
  const name = extendedName(text) ?? plainName(text);
  const base = name?.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).trim();
  return base === '' ? undefined : base;
}

function extendedName(text: string): string | undefined {
  const encoded = EXTENDED.exec(text)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded.trim());
  } catch {
    return undefined;
  }
}

function plainName(text: string): string | undefined {
  const [, quoted, bare] = PLAIN.exec(text) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? bare;
}
