/** One message as a model reads it, out of the envelope that carried it or the result of a tool. */
export interface Letter {
  /** Its number in the reader's own inbox. */
  readonly id: string;
  readonly kind: string;
  /** Of a completion: how the turn ended. */
  readonly outcome: string | undefined;
  readonly from: string;
  readonly body: string;
  /** It says that it may be a second copy. */
  readonly repeat: boolean;
}

/**
 * Whatever way they came, they stand in the same form: `--- mark number kind (outcome) from name
 * (role) · …`, then the body, up to the next line with that mark. A text behind another one has its
 * first header right below its fence, without the mark.
 */
export function readLetters(text: string): readonly Letter[] {
  if (promptStart.test(text)) return readPrompts(text);
  return [...text.matchAll(form)].map(([, , , id = '', head = '', body = '']) => {
    const [what = '', ...facts] = head.split(' · ');
    const [, kind = what, outcome, name = ''] =
      /^(\w+)(?: \((\w+)\))? from (.+?)(?: \(\w+\))?$/.exec(what) ?? [];
    return {
      ...{ id, kind, outcome, body: body.trim() },
      from: name === 'the user' ? 'user' : name,
      repeat: facts.some((fact) => fact.startsWith('MAY BE A REPEAT')),
    };
  });
}

/** What the user wrote, as the user's own prompt: it names neither its kind nor its sender. */
function readPrompts(text: string): readonly Letter[] {
  const [, ...parts] = text.split(/^<signalbox (?!mark_)(\d+)[^>\n]*>\n/m);
  return parts.flatMap((id, i) =>
    i % 2 === 1
      ? []
      : [
          {
            ...{ id, kind: 'task', outcome: undefined, from: 'user' },
            ...{ body: (parts[i + 1] ?? '').trim(), repeat: false },
          },
        ],
  );
}

const promptStart = /^<signalbox (?!mark_)\d+ mark_/;

const form =
  /^(?:--- (\w+) |<signalbox mark_\w*?(\w{1,8})>\n)(\d+) (\w+(?: \(\w+\))? from [^\n]*)\n([\s\S]*?)^(?=(?:--- |<\/signalbox )\1\2\b)/gm;
