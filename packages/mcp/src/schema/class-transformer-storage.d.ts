/** The metadata store of class-transformer, which has no public entry. */
declare module 'class-transformer/cjs/storage.js' {
  interface TypeMetadata {
    readonly propertyName: string;
    readonly reflectedType?: unknown;
    typeFunction?(): unknown;
  }
  export const defaultMetadataStorage: {
    findTypeMetadata(target: unknown, propertyName: string): TypeMetadata | undefined;
  };
}
