import type { FormBuilder } from '@dacapo/mcp';

/**
 * Gives a choice of a form its titles in `enumNames`. The protocol deprecates that way of writing
 * them, so the builder has none for it; clients must still know it.
 */
export function withEnumNames<T extends object>(
  form: FormBuilder<T>,
  choice: keyof T & string,
  enumNames: readonly string[],
): FormBuilder<T> {
  const build = form.build.bind(form);
  form.build = () => {
    const schema = build();
    const { [choice]: property } = schema.properties;
    const titled = Object.assign({}, property, { enumNames });
    return { ...schema, properties: { ...schema.properties, [choice]: titled } };
  };
  return form;
}
