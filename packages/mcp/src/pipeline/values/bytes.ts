import { types } from 'node:util';

/** A buffer, a typed array, a view or the memory itself. */
export type Bytes = ArrayBufferView | ArrayBufferLike;

export function isBytes(value: unknown): value is Bytes {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value);
}

/** The bytes of the view, not of the memory it lies in; nothing is copied. */
export function toBuffer(bytes: Bytes): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes;
  return ArrayBuffer.isView(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : Buffer.from(bytes);
}
