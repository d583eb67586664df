import type { Composer } from '../../../src/agents/status.ts';
import type { Scenario } from './scenario.ts';
import type { LabSession } from './session.ts';

/**
 * The turn waits for a sub-agent. The mock plays that one's prompt too, so the first character of
 * its directive must not be one in ours; `isItsPrompt` knows it among what else the CLI tells a
 * sub-agent.
 */
export function subagent(
  call: string,
  isItsPrompt = (text: string): boolean => text.trim() === '@@hang',
): Scenario {
  return {
    name: 'subagent',
    expect: { status: 'processing', composer: 'unknown' },
    frames: 2,
    drive: async (session) => {
      await session.ready();
      await session.terminal.prompt(`@@mcp ${call}`);
      await session.mock.waitFor(
        ({ lastUserText, outcome }) => isItsPrompt(lastUserText) && !outcome,
      );
      await session.moves();
    },
  };
}

/**
 * The model is asked for a summary, which is no turn: that its request is open is waited for here.
 */
export function compacting(
  composer: Composer,
  seen: (session: LabSession) => Promise<unknown>,
): Scenario {
  return {
    name: 'compacting',
    expect: { status: 'processing', composer },
    frames: 2,
    drive: async (session) => {
      await session.ready();
      await session.askToEnd('@@say The answer is 42.');
      const { length } = session.mock.requests;
      await session.terminal.prompt('/compact @@hang');
      await session.mock.waitFor(({ n, outcome }) => n > length && !outcome);
      await seen(session);
    },
    verify: () => undefined,
  };
}
