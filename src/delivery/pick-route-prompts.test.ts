import { describe, expect, test } from 'vitest';
import {
  waysOf as all,
  describeSituation,
  type SituationWish,
} from '../../test/fakes/situation.ts';
import type { AgentStatus } from '../agents/agent.ts';
import { pickRoute } from './pick-route.ts';
import type { Ways } from './recipient.ts';

describe('rule 51: a prompt of the user', () => {
  const claude = {
    ...all.hook,
    routes: ['native', 'turn-boundary', 'mid-turn', 'paste', 'pull'],
    prompts: ['paste'],
  } as const satisfies Ways;
  const codex = { ...all.queue, prompts: ['native'] } as const satisfies Ways;
  const gemini = { ...all.paste, prompts: ['paste'] } as const satisfies Ways;
  const waiting = { promptLeftMs: 60_000 };
  const pick = (ways: Ways, status: AgentStatus, more: SituationWish = {}) =>
    pickRoute(describeSituation(status, ways, more));

  test('rule 51a: only a paste keeps its standing in Claude Code, and it is pasted at rest', () => {
    expect(pick(claude, 'idle', waiting)).toEqual({ route: 'paste', standing: 'prompt' });
    expect(pick(claude, 'idle')).toEqual({ route: 'native' });
    expect(pick(claude, 'processing', waiting)).toEqual({ wait: { code: 'works-until-rest' } });
  });

  test('rule 51: where the usual route is a prompt already, it goes there as one', () => {
    const asPrompt = { standing: 'prompt' };
    expect(pick(codex, 'idle', waiting)).toEqual({ route: 'native', ...asPrompt });
    expect(pick(codex, 'processing', waiting)).toEqual({ route: 'native', ...asPrompt });
    expect(pick(gemini, 'idle', waiting)).toEqual({ route: 'paste', ...asPrompt });
  });

  test('rules 51, 53: a paste that stands in keeps its standing where what is typed is a prompt', () => {
    const copilot: Ways = { ...codex, prompts: ['native', 'paste'], takesOver: 'paste' };
    const gone = {
      ...waiting,
      nativeBlocked: { code: 'hook-missing' },
      isTakenOver: true,
    } as const;
    const asPrompt = { route: 'paste', standing: 'prompt' };
    expect(pick(copilot, 'idle', gone)).toEqual(asPrompt);
    expect(pick({ ...copilot, prompts: ['native'] }, 'idle', gone)).toEqual({ route: 'paste' });
    expect(pick(copilot, 'idle', waiting)).toEqual({ route: 'native', standing: 'prompt' });
  });

  test('rule 51b: it waits for an empty composer for a minute of rest, then it is a notice', () => {
    const view = { composer: 'draft' } as const;
    expect(pick(claude, 'idle', { ...waiting, view })).toEqual({
      wait: { code: 'draft' },
      againInMs: 60_000,
    });
    expect(pick(claude, 'idle', { promptLeftMs: 0, view })).toEqual({ route: 'native' });
    // Nothing else is there to carry it.
    expect(pick(gemini, 'idle', { promptLeftMs: 0, view })).toEqual({ wait: { code: 'draft' } });
  });

  test('rules 45, 51b: so it does for what only the paste finds in its way', () => {
    const pasteRefused = { code: 'copy-mode' } as const;
    const asPrompt = { route: 'paste', standing: 'prompt' };
    expect(pick(claude, 'idle', { ...waiting, pasteRefused })).toEqual(asPrompt);
    expect(pick(claude, 'idle', { promptLeftMs: 0 })).toEqual(asPrompt);
    expect(pick(claude, 'idle', { promptLeftMs: 0, pasteRefused })).toEqual({ route: 'native' });
    // Nothing else is there to carry it.
    expect(pick(gemini, 'idle', { promptLeftMs: 0, pasteRefused })).toEqual(asPrompt);
  });

  test('rule 51b: where nothing can be pasted it is a notice at once', () => {
    const penBlocked = { code: 'typing-refused' } as const;
    expect(pick(claude, 'idle', { ...waiting, penBlocked })).toEqual({ route: 'native' });
  });

  test('rule 51a: it waits while a sub-agent works, which may ask for a permission at any moment', () => {
    const view = { subAgents: { count: 2, since: 990_000 } };
    const wait = { code: 'sub-agents', count: 2 };
    expect(pick(claude, 'idle', { ...waiting, view })).toEqual({ wait, againInMs: 50_000 });
    expect(pick(claude, 'idle', { promptLeftMs: 20, view })).toEqual({ wait, againInMs: 20 });
    expect(pick(claude, 'idle', { promptLeftMs: 0, view })).toEqual({ route: 'native' });
    // A notice needs no composer, and no person's answer can be hit by it.
    expect(pick(claude, 'idle', { view })).toEqual({ route: 'native' });
  });

  test('rule 51b: one that has worked on for a minute of rest holds up no further prompt', () => {
    const view = { subAgents: { count: 1, since: 940_000 } };
    expect(pick(claude, 'idle', { ...waiting, view })).toEqual({ route: 'native' });
    expect(pick(claude, 'processing', { ...waiting, view })).toEqual({ route: 'native' });
    const nativeBlocked = { code: 'hook-missing' } as const;
    const blocked = pick(claude, 'processing', { ...waiting, view, nativeBlocked });
    expect(blocked).toEqual({ wait: { code: 'works-until-rest' } });
  });

  test('rules 51a, 51b: so it does where the CLI calls itself busy because of them', () => {
    const view = { subAgents: { count: 1, since: 990_000 } };
    const wait = { code: 'sub-agents', count: 1 };
    expect(pick(claude, 'processing', { ...waiting, view })).toEqual({ wait, againInMs: 50_000 });
    // An urgent one is a notice, and a notice waits for the turn that their end begins.
    const urgent = pick(claude, 'processing', { ...waiting, view, isUrgent: true });
    expect(urgent).toEqual({ route: 'native', limit: 'urgent' });
    const works = { wait: { code: 'works-until-turn-boundary' } };
    expect(pick(claude, 'processing', { view })).toEqual(works);
  });

  test('rule 51c: an urgent one joins a running turn as a notice', () => {
    const urgent = { ...waiting, isUrgent: true };
    expect(pick(claude, 'processing', urgent)).toEqual({ route: 'native', limit: 'urgent' });
    expect(pick(claude, 'idle', urgent)).toEqual({ route: 'paste', standing: 'prompt' });
  });

  test('rules 51, 53: it is pasted also while the hook that waits is gone', () => {
    const nativeBlocked = { code: 'hook-missing' } as const;
    expect(pick(claude, 'idle', { ...waiting, nativeBlocked })).toEqual({
      route: 'paste',
      standing: 'prompt',
    });
  });
});
