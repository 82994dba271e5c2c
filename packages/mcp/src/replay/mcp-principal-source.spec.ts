import { NobodyPrincipalSource } from './mcp-principal-source.js';

describe('NobodyPrincipalSource', () => {
  it('knows nobody', () => {
    expect(new NobodyPrincipalSource().currentPrincipal()).toBeNull();
  });
});
