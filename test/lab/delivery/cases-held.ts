import { type Check, must } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { heldDialog } from './cases-held-dialog.ts';
import { heldEscCases } from './cases-held-esc.ts';
import { pause } from './cases-usual.ts';
import { stagesIn } from './held-places.ts';
import { type Doing, type HeldRound, playRounds } from './held-round.ts';
import { SeatedPerson } from './seated-person.ts';

/** For a CLI to draw what a key has opened. */
const drawMs = 800;
const small = { columns: 60, rows: 20 };

const drafts: Doing = {
  does: (round) => round.types(),
  keeps: (round) => round.keepsTyped(),
  undoes: (round) => round.empties(),
};

/**
 * Rules 12, 24 and 45: a person does something at the very moment of a delivery, which a fail-point
 * holds open at each of its stages.
 */
export const heldCases: readonly Check[] = [
  held('held-draft', 'a person begins a draft', drafts),
  held('held-slash', 'a person opens the menu of commands', opens('/')),
  held('held-at', 'a person opens the menu of files', opens('@')),
  held('held-resize', "a person's window becomes 60×20, and large again", {
    does: ({ person }) => person.resizes(small),
    undoes: ({ person }) => person.resizes({ columns: 120, rows: 40 }),
  }),
  held('held-attach', 'another person attaches', withSecond('attaches')),
  held('held-detach', 'another person leaves', withSecond('leaves')),
  held('held-two', 'two people type, one of them at a smaller window', withSecond('types')),
  held('held-copy-mode', 'a person goes into copy mode', {
    does: async ({ person, life }) => {
      await person.presses('C-b', '[');
      await pause(drawMs);
      must(await life.hands.isInCopyMode(), 'the keys led into no copy mode');
    },
    keeps: async ({ life }) => must(await life.hands.isInCopyMode(), 'copy mode was ended'),
    // An Enter that Gemini CLI 0.61.0 takes for a new line is not pressed again beside these keys:
    // then the message stands there as theirs (rule 12).
    undoes: async (round) => {
      await round.person.presses('q');
      await round.empties();
    },
  }),
  {
    name: 'held-picker',
    promise:
      'rules 24, 45: a person opens the picker of models before a message goes in: nothing is chosen for them, and it is read, once',
    hasOwnAgent: true,
    run: (life) => playRounds(life, ['before'], picks(life)),
  },
  ...heldEscCases,
  heldDialog,
];

function held(name: string, what: string, doing: Doing): Check {
  return {
    name,
    promise: `rules 12, 24, 45: ${what} while a message is on its way, at each stage: it is read, once, and nothing of theirs is sent, cleared or mixed`,
    hasOwnAgent: true,
    run: (life) => playRounds(life, stagesIn(life.lab.name), doing),
  };
}

function opens(key: string): Doing {
  return {
    does: async ({ person }) => {
      await person.types(key);
      await pause(drawMs);
    },
    keeps: async ({ life }) => {
      must((await life.show()).composer !== 'empty', 'what the person opened is gone');
    },
    undoes: async (round) => {
      await round.person.presses('Escape');
      await round.empties();
    },
  };
}

/** The second person sits at a smaller window, if both type. */
function withSecond(what: 'attaches' | 'leaves' | 'types'): Doing {
  let second: SeatedPerson | undefined;
  const sits = async ({ life }: HeldRound): Promise<void> => {
    second = await SeatedPerson.sit(life, what === 'types' ? small : undefined);
  };
  return {
    ...(what === 'attaches' ? {} : { prepares: sits }),
    does: async (round) => {
      if (what === 'attaches') return sits(round);
      if (what === 'leaves') return second?.leaves();
      await round.types();
      await round.types(second);
    },
    ...(what === 'types' ? { keeps: (round: HeldRound) => round.keepsTyped() } : {}),
    undoes: async (round) => {
      await second?.leaves();
      if (what === 'types') await round.empties();
    },
  };
}

function picks(life: Life): Doing {
  return {
    does: async ({ person }) => {
      await person.types('/model');
      await pause(drawMs);
      await person.presses('Enter');
      await pause(2 * drawMs);
      must(await isPicking(life), 'no picker opened');
    },
    keeps: async () => {
      must(await isPicking(life), 'the picker is gone');
    },
    undoes: async (round) => {
      await round.person.presses('Escape');
      await pause(drawMs);
      await round.empties();
      const asked = life.mock.requests.filter(({ isSide }) => !isSide);
      const models = new Set(asked.map(({ model }) => model));
      must(models.size === 1, `its models were ${[...models].join(', ')}`);
    },
  };
}

/** It stands in the place of the composer. A native message may begin a turn meanwhile. */
async function isPicking(life: Life): Promise<boolean> {
  return (await life.show()).composer === 'hidden';
}
