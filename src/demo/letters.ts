/** One message as a model reads it, out of the envelope that carried it or the result of a tool. */
export interface Letter {
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
 * Whatever way they came, they stand in the same form: `--- mark id · kind (outcome) · from name
 * (role) · …`, body, end.
 */
export function readLetters(text: string): readonly Letter[] {
  return [...text.matchAll(form)].map(([, , id = '', head = '', body = '']) => {
    const [what = '', from = '', ...facts] = head.split(' · ');
    const [, kind = what, outcome] = /^(\w+)(?: \((\w+)\))?$/.exec(what) ?? [];
    const [, name = ''] = /^from (.+?)(?: \(\w+\))?$/.exec(from) ?? [];
    return {
      ...{ id, kind, outcome, body: body.trim() },
      from: name === 'the user' ? 'user' : name,
      repeat: facts.some((fact) => fact.startsWith('MAY BE A REPEAT')),
    };
  });
}

const form = /^--- (\w+) (msg_\w+) · ([^\n]*)\n([\s\S]*?)^--- \1 end of \2/gm;
