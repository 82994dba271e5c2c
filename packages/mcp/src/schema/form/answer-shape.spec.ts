import { answerShape } from './answer-shape.js';
import { FormBuilder } from './form-builder.js';

describe('answerShape', () => {
  it('keeps what an answer depends on, and no word beside it', () => {
    const form = new FormBuilder()
      .string('name', { title: 'Name', description: 'Yours', minLength: 2, optional: true })
      .integer('age', { minimum: 0, default: 18 })
      .choice('plan', [
        { value: 'a', title: 'Annual' },
        { value: 'b', title: 'Basic' },
      ])
      .choices('tags', ['x', 'y'], { title: 'Tags', maxItems: 1 })
      .build();
    expect(answerShape(form)).toEqual({
      properties: {
        name: { type: 'string', minLength: 2 },
        age: { type: 'integer', minimum: 0, default: 18 },
        plan: { type: 'string', choices: ['a', 'b'] },
        tags: { type: 'array', maxItems: 1, choices: ['x', 'y'] },
      },
      required: ['age', 'plan', 'tags'],
    });
  });

  it('is the same with titles and without, in whatever order they are required', () => {
    const plain = new FormBuilder().choice('plan', ['a']).choices('tags', ['x']).build();
    const titled = new FormBuilder()
      .choice('plan', [{ value: 'a', title: 'A' }])
      .choices('tags', [{ value: 'x', title: 'X' }])
      .build();
    expect(answerShape({ ...titled, required: ['tags', 'plan'] })).toEqual(answerShape(plain));
  });

  it('is there for a form that requires nothing', () => {
    expect(answerShape({ type: 'object', properties: {} })).toEqual({
      properties: {},
      required: [],
    });
  });
});
