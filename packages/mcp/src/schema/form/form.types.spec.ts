import { toTitled } from './form.types.js';

describe('toTitled', () => {
  it('shows a value as its own title', () => {
    expect(toTitled('pro')).toEqual({ const: 'pro', title: 'pro' });
  });

  it('takes value and title, and nothing else', () => {
    const choice = { value: 'pro', title: 'Professional', price: 9 };
    expect(toTitled(choice)).toEqual({ const: 'pro', title: 'Professional' });
  });
});
