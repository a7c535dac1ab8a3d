/** The longest chart is of a day; clocks of replicas differ, and steps begin before the span that is asked for. */
export const FIGURE_LIFETIME_MS = 26 * 3_600_000;
