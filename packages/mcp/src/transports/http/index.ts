export * from './http.endpoint.js';
export * from './http.transport.js';
