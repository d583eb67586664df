import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';

/**
 * Why this is no name of a model, or undefined. One that begins with a hyphen would be an option to
 * a parser that takes the word behind `--model` for one; every provider hands it on as
 * `--model=NAME` besides.
 */
export function checkModel(model: string | undefined): Fault | undefined {
  if (model === undefined || /^[^-\s\p{Cc}\p{Surrogate}][^\p{Cc}\p{Surrogate}]*$/u.test(model)) {
    return undefined;
  }
  return new Fault(
    'invalid-input',
    `${quote(model, 40)} is no name of a model: it begins with a hyphen or a space, or holds a control character.`,
    'Give the name as the CLI lists it, or leave it out for its default.',
  );
}
