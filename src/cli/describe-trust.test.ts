import { expect, test } from 'vitest';
import { describeReview, describeTrustList } from './describe-trust.ts';

/** A name may be 255 bytes long, with any number of newlines in it. */
const forged = 'x\n  what        harmless\n  trusted     yes\u001b[2J.md';

test('rule 47: no path, name or word of a file draws a line of the question', () => {
  const shown = describeReview({
    ...{ path: `/repo/${forged}`, realPath: `/other/${forged}`, outside: true },
    ...{ kind: 'profile', state: 'changed', trustedAt: '2026-01-02T00:00:00Z', by: forged },
    changes: {
      ...{ name: forged, provider: forged, model: forged, permission: forged },
      ...{ allowedTools: [forged], mcpServers: [forged, 'second'], env: [forged] },
      ...{ leftOut: [forged], patterns: [forged, 'second'], instructions: 1 },
    },
    diff: [`+${forged}`],
  });
  const lines = shown.trimEnd().split('\n');
  expect(lines.filter((line) => /^\s*(what +harmless|trusted +yes)/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.includes('<U+000A>'))).toHaveLength(13);
  expect(lines.filter((line) => line.trim() === 'second')).toHaveLength(2);
  expect(shown).not.toContain('\u001b[2J');
  const trouble = describeReview({ path: 'a', kind: 'profile', state: 'broken', trouble: forged });
  expect(trouble.trimEnd().split('\n')).toHaveLength(3);
  const list = describeTrustList([{ path: forged, by: forged, kind: 'profile', state: 'trusted' }]);
  expect(list.trimEnd().split('\n')).toHaveLength(2);
});
