export * from './answer-shape.js';
export * from './elicit-form.js';
export * from './form.types.js';
export * from './form-builder.js';
