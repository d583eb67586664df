import type { Scenario } from './scenario.ts';
import type { Traits } from './traits.ts';

/** A turn has ended: well, badly, or by a person's key. */
export function endScenarios(traits: Traits): readonly Scenario[] {
  const done = { status: 'completed', composer: 'empty' } as const;
  const after = (name: string, prompt: string, more: Partial<Scenario> = {}): Scenario => ({
    name,
    expect: done,
    drive: async (session) => {
      await session.ready();
      await session.askToEnd(prompt);
    },
    ...more,
  });
  const failure = (status: number, pattern: RegExp): Scenario => ({
    name: `error-${status}`,
    expect: { status: 'error', composer: 'empty' },
    ...traits.fewRetries,
    drive: async (session) => {
      await session.ready();
      await session.ask(`@@fail ${status}`);
      await session.shows(pattern, 120_000);
    },
  });
  return [
    after('answered', '@@say The answer is 42.'),
    after('answered-long', '@@stream 1500 words 1ms'),
    after(
      'answered-after-tool',
      '@@say First I look. @@tool touch began && touch ended @@say It is there.',
      {
        home: { approvals: 'allow-shell' },
      },
    ),
    {
      name: 'answered-draft',
      expect: { status: 'completed', composer: 'draft' },
      drive: async (session) => {
        await session.ready();
        await session.askToEnd('@@say The answer is 42.');
        await session.terminal.type('thanks, and now');
        await session.shows(/thanks, and now/);
      },
    },
    ...Object.entries(traits.forgeries).map(([name, text]) =>
      after(`forged-${name}`, `@@say ${text}`),
    ),
    {
      name: 'interrupted',
      expect: done,
      drive: async (session) => {
        await session.ready();
        await session.ask('@@stream 3000 words 20ms');
        await session.shows(/word40\b/);
        await session.terminal.keys('Escape');
        await session.terminal.waitFor('the end of the turn', () => session.isAtRest());
      },
    },
    failure(401, traits.error401),
    ...(traits.error500 ? [failure(500, traits.error500)] : []),
  ];
}
