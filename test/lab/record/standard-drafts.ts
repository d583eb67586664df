import type { Composer } from '../../../src/agents/status.ts';
import type { Scenario } from './scenario.ts';
import type { LabSession } from './session.ts';
import type { Traits } from './traits.ts';

/** A person has begun to write: nothing may be pasted, whatever the draft looks like. */
export function draftScenarios({ placeholder, pasted, spacesAtHome }: Traits): readonly Scenario[] {
  const draft = (
    name: string,
    write: (session: LabSession) => Promise<void>,
    composer: Composer = 'draft',
  ): Scenario => ({
    name,
    expect: { status: 'idle', composer },
    drive: async (session) => {
      await session.ready();
      await write(session);
    },
  });
  const typed = async (session: LabSession, text: string): Promise<void> => {
    await session.terminal.type(text);
    // A narrow composer breaks it, inside its frame.
    await session.shows(new RegExp(escapePattern(text).replaceAll(' ', '[\\s│┃]+')));
  };
  return [
    draft('draft-line', (session) => typed(session, 'Please look at the failing test')),
    draft('draft-numbered', (session) => typed(session, '1. Yes, and then the tests')),
    draft('draft-question', (session) =>
      typed(session, 'Do you want to proceed: 1. Yes 2. No, esc to cancel'),
    ),
    draft('draft-letter', async (session) => {
      const { cursor } = await session.terminal.capture();
      await session.terminal.type('y');
      await session.cursorAt(cursor.x + 1);
    }),
    draft('draft-spaces', async (session) => {
      const { cursor } = await session.terminal.capture();
      await session.terminal.type('   ');
      await session.cursorAt(cursor.x + 3);
    }),
    {
      ...draft('draft-spaces-home', async (session) => {
        const { cursor } = await session.terminal.capture();
        await session.terminal.type('   ');
        await session.cursorAt(cursor.x + 3);
        await session.terminal.keys('C-a');
        await session.cursorAt(cursor.x);
      }),
      expect: { status: 'idle', composer: spacesAtHome ?? 'unknown' },
    },
    draft('draft-lines', async (session) => {
      await session.terminal.paste('first line\nsecond line\nthird line');
      await session.shows(/third line/);
    }),
    draft('draft-blank-lines', async (session) => {
      await session.terminal.paste('first line\n\nlast line');
      await session.shows(/last line/);
    }),
    draft('draft-long', async (session) => {
      await session.terminal.paste(`${'a sentence that goes on and on '.repeat(12)}until here`);
      await session.shows(/until\s+here/);
    }),
    draft('draft-pasted', async (session) => {
      const lines = Array.from({ length: 60 }, (_, at) => `pasted line ${at + 1} of a longer text`);
      await session.terminal.paste(lines.join('\n'));
      await session.shows(pasted ?? /pasted line 60/);
    }),
    draft('draft-home', async (session) => {
      const { cursor } = await session.terminal.capture();
      await typed(session, 'the cursor goes back');
      await session.terminal.keys('C-a');
      await session.cursorAt(cursor.x);
    }),
    ...(placeholder === undefined
      ? []
      : [
          draft('draft-placeholder', async (session) => {
            const { cursor } = await session.terminal.capture();
            await session.terminal.type(placeholder);
            await session.cursorAt(cursor.x + placeholder.length);
          }),
          draft('draft-placeholder-home', async (session) => {
            const { cursor } = await session.terminal.capture();
            await session.terminal.type(placeholder);
            await session.cursorAt(cursor.x + placeholder.length);
            await session.terminal.keys('C-a');
            await session.cursorAt(cursor.x);
          }),
          // Some draw theirs two columns to the right of the cursor: letter for letter this is the
          // same screen.
          draft(
            'draft-placeholder-indented',
            async (session) => {
              const { cursor } = await session.terminal.capture();
              await session.terminal.type(`  ${placeholder}`);
              await session.cursorAt(cursor.x + placeholder.length + 2);
              await session.terminal.keys('C-a');
              await session.cursorAt(cursor.x);
            },
            'unknown',
          ),
        ]),
  ];
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
