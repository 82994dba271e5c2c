export * from './canonical-json.js';
export * from './compiled-schema.js';
export * from './dto-json-schema.js';
export * from './form/index.js';
export * from './header-params.js';
export * from './json-schema.js';
export * from './schema-compiler.js';
export * from './standard-schema.js';
