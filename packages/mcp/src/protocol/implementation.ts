/** An image a client may show beside a name. `src` is an `https:` or `data:` URI. */
export interface Icon {
  src: string;
  mimeType?: string;
  /** `"48x48"`-like sizes, or `"any"`. */
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** Name and version of a client or server; self-reported, never to be trusted. */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  websiteUrl?: string;
}
