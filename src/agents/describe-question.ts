/** What is asked where the screen shows no question that we can read, by the status's detail. */
const usual: Readonly<Record<string, string>> = {
  permission: 'may it go on?',
  login: 'log in',
  question: 'it asks a question',
  dialog: 'a dialog is open',
  'hook-review': 'review its hooks',
  update: 'update it?',
};

interface Asking {
  readonly name: string;
  /** Those that can be answered without its terminal. */
  readonly questions?: readonly unknown[] | undefined;
  readonly detail?: string | undefined;
  readonly question?: string | undefined;
}

/** What an agent that waits asks: in its CLI's own words, where they are known. */
export function describeQuestion({
  detail,
  question,
}: Pick<Asking, 'detail' | 'question'>): string {
  // Each CLI has a paragraph of its own about this one.
  if (detail === 'trust') return 'trust this folder?';
  return question ?? usual[detail ?? 'dialog'] ?? detail ?? 'a dialog is open';
}

/** Rule 48: who waits, for what, and what helps; `name` is one that no other agent has. */
export function tellQuestion(agent: Asking, name = agent.name): string {
  return `${name} waits for you: ${describeQuestion(agent)} → ${wayToAnswer(agent, name)}`;
}

/** The command by which a person answers it: without its terminal where that can be. */
export function wayToAnswer({ questions = [] }: Pick<Asking, 'questions'>, name: string): string {
  return `signalbox ${questions.length > 0 ? 'answer' : 'attach'} ${name}`;
}
