import { createContext, useContext } from 'react';
import type { Components } from './components.ts';
import { en } from './texts/en.ts';
import type { Counted, Texts } from './texts/texts.ts';

/** Texts, and formats of the language. */
export type Language = {
  readonly texts: Texts;
  /** Puts values into a text: `{name}` becomes `values.name`. */
  readonly fill: (text: string, values: Readonly<Record<string, string>>) => string;
  readonly count: (text: Counted, n: number) => string;
  /** The time of day. */
  readonly time: (date: Date) => string;
  /** The day, as “today” or “Monday, 5 May”. */
  readonly day: (date: Date) => string;
  /** The time of today, the weekday of this week, else the date. */
  readonly short: (date: Date) => string;
  /** Day and time. */
  readonly moment: (date: Date) => string;
  /** Bytes, as “2.1 MB”. */
  readonly size: (bytes: number) => string;
  /** Whole seconds, as “5 minutes” or “1 minute 20 seconds”. */
  readonly duration: (seconds: number) => string;
  readonly list: (names: readonly string[]) => string;
};

export type Settings = { readonly components: Components; readonly language: Language };

export const SettingsContext = createContext<Settings | undefined>(undefined);

/**
 * The components as the application has chosen them.
 *
 * @throws Error if there is no `ParleyProvider` of this package above.
 */
export function useComponents(): Components {
  return useSettings().components;
}

/** Texts and formats of the chosen language. */
export function useLanguage(): Language {
  return useSettings().language;
}

function useSettings(): Settings {
  const settings = useContext(SettingsContext);
  if (!settings) throw new Error('There is no ParleyProvider of @parley/react-ui above this component.');
  return settings;
}

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const THOUSAND = 1000;

/** Formats of a language; `Intl` makes them once. */
export function createLanguage(texts: Texts = en): Language {
  const { language } = texts;
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const time = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' });
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short' });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'short' });
  const full = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' });
  const year = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric' });
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const lists = new Intl.ListFormat(language, { type: 'conjunction' });
  return {
    texts,
    fill,
    count: (text, n) => fill(text[plurals.select(n)] ?? text.other, { n: numbers.format(n) }),
    time: (at) => time.format(at),
    day(at) {
      const days = daysSince(at);
      if (days === 0 || days === 1) return capitalised(relative.format(-days, 'day'), language);
      return (at.getFullYear() === new Date().getFullYear() ? full : year).format(at);
    },
    short(at) {
      const days = daysSince(at);
      if (days <= 0) return time.format(at);
      return (days < WEEK_DAYS ? weekday : date).format(at);
    },
    moment: (at) => moment.format(at),
    size: (bytes) => formatSize(language, bytes),
    duration: (seconds) => formatDuration(language, seconds),
    list: (names) => lists.format(names),
  };
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole);
}

/** Number of midnights between a time and now, on the calendar of this device. */
function daysSince(at: Date): number {
  const midnight = (one: Date): number =>
    new Date(one.getFullYear(), one.getMonth(), one.getDate()).getTime();
  return Math.round((midnight(new Date()) - midnight(at)) / DAY_MS);
}

function capitalised(text: string, language: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

function formatSize(language: string, bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= THOUSAND && unit < UNITS.length - 1) [value, unit] = [value / THOUSAND, unit + 1];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[unit] ?? 'byte',
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: unit < 2 ? 0 : 1,
  }).format(value);
}

const LENGTHS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

function formatDuration(language: string, seconds: number): string {
  let rest = seconds;
  const shown = LENGTHS.flatMap(([unit, length]) => {
    const value = Math.floor(rest / length);
    rest -= value * length;
    if (value === 0 && (unit !== 'second' || seconds > 0)) return [];
    return [new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)];
  });
  return shown.join(' ');
}
