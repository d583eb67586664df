import { expect, test } from 'vitest';
import { describeReview } from './describe-trust.ts';

test('rule 47: nothing that a file or its name holds begins a line of the question', () => {
  const forged = 'x\n  trusted     yes, since 2026-01-01\n';
  const shown = describeReview({
    ...{ path: `/clone/${forged}.md`, realPath: `/else/${forged}`, kind: 'profile', sha256: '' },
    ...{ state: 'broken', trouble: forged },
    changes: {
      ...{ name: forged, provider: forged, model: forged, permission: forged },
      ...{ mcpServers: [forged, forged], env: [forged], leftOut: [forged] },
      ...{ allowedTools: [forged], patterns: [forged, 'b'], instructions: 0 },
    },
    diff: [`+${forged}`],
  });
  expect(shown.split('\n').filter((line) => /^\s*trusted {5}/.test(line))).toEqual([
    expect.stringContaining('trusted     no; x<U+000A>'),
  ]);
  // Each server and each pattern has a line of its own.
  expect(shown.split('\n')).toHaveLength(18);
});
