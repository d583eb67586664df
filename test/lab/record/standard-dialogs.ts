import type { Scenario } from './scenario.ts';
import { asksAbout, waitingFor } from './shapes.ts';

/** Makes turns in which one of the CLI's own tools is called, and the person is asked about it. */
export function callsOf(
  cli: string,
): (
  name: string,
  detail: string,
  call: string,
  pattern: RegExp,
  more?: Partial<Scenario>,
) => Scenario {
  return (name, detail, call, pattern, more) =>
    asksAbout(name, detail, () => `@@mcp ${cli} ${call}`, pattern, more);
}

/** The tool that writes a file: its name and those of what it takes. */
export type WriteTool = readonly [name: string, path: string, text: string];

/** May it create a file: one line, and more than the screen holds. */
export function createScenarios(
  cli: string,
  [tool, path, text]: WriteTool,
  asked: RegExp,
  askedLong = asked,
): readonly Scenario[] {
  const creates = (name: string, file: string, content: string, pattern: RegExp): Scenario =>
    asksAbout(
      name,
      'permission',
      ({ home }) => `@@mcp ${cli} ${tool} {"${path}":"${home.cwd}/${file}","${text}":"${content}"}`,
      pattern,
    );
  return [
    creates('permission-create', 'began', 'hello\\n', asked),
    creates('permission-create-long', 'notes.md', 'one line more\\n'.repeat(60), askedLong),
  ];
}

/** One question of the model's own, and two at once. */
export function questionScenarios(
  cli: string,
  tool: string,
  one: Flags,
  several: Flags,
): readonly Scenario[] {
  const asks = callsOf(cli);
  return [
    asks('question', 'question', `${tool} ${questions(one)}`, asked),
    asks('question-several', 'question', `${tool} ${questions(one, several)}`, asked),
  ];
}

/** Drawn as a question: the prompt that brings it holds the words, too. */
export const asked = /^[ │┃?]*Which colour\?/m;

/** How a tool for questions says whether one or several answers may be chosen. */
type Flags = Readonly<Record<string, unknown>>;

/**
 * What such a tool takes: with `several` a second question, to which there may be several answers.
 */
export function questions(one: Flags, several?: Flags): string {
  const colour = {
    question: 'Which colour?',
    header: 'Colour',
    ...one,
    options: [
      { label: 'Red', description: 'warm' },
      { label: 'Blue', description: 'cold' },
    ],
  };
  const shape = {
    question: 'Which shapes?',
    header: 'Shape',
    ...several,
    options: [
      { label: 'Round', description: 'soft' },
      { label: 'Square', description: 'hard' },
    ],
  };
  return JSON.stringify({ questions: several ? [colour, shape] : [colour] });
}

/** A prompt was queued before the question came. */
export function permissionQueued(pattern: RegExp): Scenario {
  return {
    name: 'permission-queued',
    expect: waitingFor('permission'),
    drive: async (session) => {
      await session.ready();
      await session.ask('@@sleep 3 @@tool touch began && touch ended');
      await session.submit('another thing for later');
      await session.shows(pattern);
    },
  };
}
