import { expect, test } from 'vitest';
import { readBearer } from './read-bearer.ts';

test('a token is found behind its scheme in any case, and nowhere else', () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    expect(readBearer(`${scheme} tok_1`)).toBe('tok_1');
    expect(readBearer(`${scheme}  tok_1`)).toBe('tok_1');
  }
  for (const wrong of [undefined, '', 'Bearer', 'Bearer ', 'Basic tok_1', 'tok_1', 'Bearer a b']) {
    expect(readBearer(wrong)).toBeUndefined();
  }
});
