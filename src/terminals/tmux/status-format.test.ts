import { expect, test } from 'vitest';
import { cellWidth } from '../../shared/cell-width.ts';
import { describeShown, narrow, wide } from './status-format.ts';

test.each([
  [{ name: 'shop/lead', status: 'idle' }, narrow, 'shop/lead idle'],
  [{ name: 'shop/lead', status: 'waiting', detail: 'trust' }, narrow, 'shop/lead waiting: trust'],
  // The status is what the person came for.
  [{ name: 'default/lead', status: 'waiting', detail: 'trust' }, narrow, 'default/lead waiting'],
  [
    { name: 'default/lead', status: 'waiting', detail: 'trust' },
    wide,
    'default/lead waiting: trust',
  ],
  [{ name: 'a-long-session/reviewer', status: 'processing' }, narrow, 'a-long-session… processing'],
  [{ name: '会議室/翻訳者の助手', status: 'processing' }, narrow, '会議室/翻訳者… processing'],
  [
    { name: 'a#[fg=red]', status: 'error', detail: '#(x)\n' },
    wide,
    'a＃[fg=red] error: ＃(x)<U+000A>',
  ],
] as const)('%j in %i columns is %s', (agent, columns, text) => {
  expect(describeShown(agent, columns)).toBe(text);
  expect(cellWidth(text)).toBeLessThanOrEqual(columns);
});
