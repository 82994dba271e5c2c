import type { Type } from '@nestjs/common';
import { InvalidFormException } from '../../exceptions/index.js';
import type { FormValue, RequestedSchema } from '../../protocol/index.js';
import { isDto } from '../dto-json-schema.js';
import { dtoInstance } from '../dto-transformer.js';
import { validateDto } from '../dto.validator.js';
import { dtoForm } from './dto-form.js';
import { FormBuilder } from './form-builder.js';
import { checkNotEmpty } from './form-rules.js';
import { copyOf, type FormResult, validateForm } from './form-validator.js';

/** Writes a form with the builder. */
export type FormWriter<C extends object> = (form: FormBuilder) => FormBuilder<C>;

/** A form ready to be asked. */
export interface ElicitForm<C> {
  readonly schema: RequestedSchema;
  /** Holds content against the form; fills defaults. */
  judge(content: { readonly [name: string]: unknown }): FormResult | Promise<FormResult>;
  /** What the handler receives for accepted content. */
  revive(content: { readonly [name: string]: FormValue }): C;
}

/** DTO forms never change, so each class is read once. */
const dtoForms = new WeakMap<Type<object>, RequestedSchema>();

/** @throws InvalidFormException */
export function toElicitForm<C extends object>(form: FormWriter<C> | Type<C>): ElicitForm<C> {
  if (typeof (form as unknown) !== 'function') {
    throw new InvalidFormException('', 'it is neither a class nor a function', WRITE_IT);
  }
  // An arrow function: most of them are, and each is another one.
  if (!Object.hasOwn(form, 'prototype')) return writtenForm(form as FormWriter<C>);
  if (isDto(form)) return classForm(form as Type<C>);
  if (isClass(form)) {
    throw new InvalidFormException(
      '',
      `the class ${form.name} has no class-validator decorators`,
      'Decorate its properties, or write the form with the builder',
    );
  }
  return writtenForm(form as FormWriter<C>);
}

const WRITE_IT = "Give a class-validator DTO, or (form) => form.string('name')";

function isClass(form: Type | ((...args: never[]) => unknown)): boolean {
  return Object.getOwnPropertyDescriptor(form, 'prototype')?.writable === false;
}

function writtenForm<C extends object>(write: FormWriter<C>): ElicitForm<C> {
  const written: unknown = write(new FormBuilder());
  if (!(written instanceof FormBuilder)) {
    throw new InvalidFormException('', 'its function does not return the builder', WRITE_IT);
  }
  const schema = written.build();
  // The builder has checked the properties.
  checkNotEmpty(schema);
  return {
    schema,
    judge: (content) => validateForm(schema, content),
    revive: (content) => contentCopy(content) as C,
  };
}

/** What a handler does with its answer must not reach the ledger. */
function contentCopy(content: { readonly [name: string]: FormValue }): object {
  const copy: { [name: string]: FormValue } = {};
  for (const name of Object.keys(content)) copy[name] = copyOf(content[name] as FormValue);
  return copy;
}

function classForm<C extends object>(dto: Type<C>): ElicitForm<C> {
  const schema = dtoForms.get(dto) ?? dtoForm(dto);
  dtoForms.set(dto, schema);
  return {
    schema,
    async judge(content) {
      const result = validateForm(schema, content);
      if (!result.ok) return result;
      const checked = await validateDto(dto, result.content);
      return checked.ok
        ? result
        : {
            ok: false,
            reasons: checked.problems.map(({ path, message }) => `"${path}" ${message}`),
          };
    },
    revive: (content) => dtoInstance(dto, content),
  };
}
