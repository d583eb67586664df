import type { JSX } from 'preact';

interface FilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
}

/** `/` leads here, Esc empties it. */
export function Filter({ value, onChange, label }: FilterProps): JSX.Element {
  return (
    <input
      type="search"
      class="filter"
      data-filter
      aria-label={label}
      placeholder={`${label}  /`}
      value={value}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        if (value === '') event.currentTarget.blur();
        else onChange('');
      }}
    />
  );
}
