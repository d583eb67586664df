import { expect, test } from 'vitest';
import { describeSituation, type WayName, waysOf } from '../../test/fakes/situation.ts';
import type { AgentStatus } from '../agents/agent.ts';
import { pickRoute } from './pick-route.ts';
import type { RecipientView } from './recipient.ts';

const tooSmall = { has: { columns: 30, rows: 8 }, needs: { columns: 40, rows: 12 } };
const reason = {
  ...{ code: 'window-too-small', columns: 30, rows: 8 },
  ...{ needsColumns: 40, needsRows: 12 },
};

function pick(status: AgentStatus, ways: WayName, more: Partial<RecipientView> = {}) {
  const view = { composer: 'unknown', tooSmall, ...more } as const;
  return pickRoute(describeSituation(status, waysOf[ways], { view }));
}

test.each(['idle', 'completed', 'unknown'] as const)(
  'rule 48: a paste waits for a larger window, with its size and the one that would do (%s)',
  (status) => {
    expect(pick(status, 'paste')).toMatchObject({ wait: reason });
    expect(pick(status, 'told')).toMatchObject({ wait: reason });
  },
);

test('rule 48: a small window hides nothing else that is known: typing, a draft, a question, work', () => {
  const typing = pick('idle', 'paste', { humanKeyAt: 1_000_000 });
  expect(typing).toMatchObject({ wait: { code: 'person-typing' } });
  expect(pick('idle', 'paste', { composer: 'draft' })).toMatchObject({ wait: { code: 'draft' } });
  expect(pick('waiting', 'paste')).toMatchObject({ wait: { code: 'question' } });
  const works = pick('processing', 'paste');
  expect(works).toMatchObject({ wait: { code: 'works-until-turn-boundary' } });
});

test('rule 44: a small window keeps no message from a way in that needs no screen', () => {
  for (const ways of ['hook', 'queue'] as const) {
    expect(pick('idle', ways)).toMatchObject({ route: 'native' });
  }
  expect(pick('unknown', 'queue')).toMatchObject({ route: 'native' });
});
