export * from './extension.host.js';
