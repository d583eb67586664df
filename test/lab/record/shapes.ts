import type { Composer } from '../../../src/agents/status.ts';
import type { Expectation, Scenario } from './scenario.ts';
import type { LabSession } from './session.ts';

type Act = (session: LabSession) => Promise<unknown>;

export function waitingFor(detail: string): Expectation {
  return { status: 'waiting', detail, composer: 'hidden' };
}

/** A question before it can work: nothing is done but to wait for it. */
export function firstQuestion(
  name: string,
  detail: string,
  pattern: RegExp,
  more: Partial<Scenario>,
): Scenario {
  return {
    name,
    expect: waitingFor(detail),
    marker: pattern,
    drive: async (session) => {
      await session.shows(pattern, 60_000);
    },
    ...more,
  };
}

/** What a person does in or around the composer of a CLI at rest. */
export function atRest(
  name: string,
  composer: Composer,
  act: Act,
  more: Partial<Scenario> = {},
): Scenario {
  return {
    name,
    expect: { status: 'idle', composer },
    drive: async (session) => {
      await session.ready();
      await act(session);
    },
    ...more,
  };
}

/** A dialog of the CLI's own that a person opens with a command. */
export function openedBy(command: string, name: string, pattern: RegExp): Scenario {
  return {
    name,
    expect: waitingFor('dialog'),
    marker: pattern,
    drive: async (session) => {
      await session.ready();
      await session.submit(command);
      await session.shows(pattern);
    },
  };
}

/** A turn that stops at a question to the person. */
export function asksAbout(
  name: string,
  detail: string,
  prompt: (session: LabSession) => string,
  pattern: RegExp,
  more: Partial<Scenario> = {},
): Scenario {
  return {
    name,
    expect: waitingFor(detail),
    marker: pattern,
    drive: async (session) => {
      await session.ready();
      await session.ask(prompt(session));
      await session.shows(pattern);
    },
    ...more,
  };
}

export function typing(text: string, pattern: RegExp): Act {
  return async (session) => {
    await session.terminal.type(text);
    await session.shows(pattern);
  };
}

/**
 * Pressed again when nothing comes of it: the first key only wakes Codex 0.166.0 from the picture
 * it shows at rest.
 */
export function pressing(key: string, pattern: RegExp): Act {
  return async (session) => {
    for (let tries = 0; tries < 3; tries++) {
      await session.terminal.keys(key);
      const isShown = await session.shows(pattern, 4000).then(
        () => true,
        () => false,
      );
      if (isShown) return;
    }
    await session.shows(pattern);
  };
}
