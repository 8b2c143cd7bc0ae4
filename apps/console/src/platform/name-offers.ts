import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { useMe } from './me.ts';

const OFFERED_MAX = 6;
/** What is typed behind an @ at the end of a text. */
const TYPED = /(?:^|\s)@([a-z0-9.-]*)$/;

/** The names that fit what is typed behind an @ at the end of a text; none where no @ is being typed. */
export function namesFor(names: readonly string[], text: string): string[] {
  const typed = TYPED.exec(text)?.[1];
  if (typed === undefined) return [];
  const fitting = names.filter((name) => name.includes(typed) && name !== typed);
  return fitting
    .toSorted((a, b) => Number(b.startsWith(typed)) - Number(a.startsWith(typed)))
    .slice(0, OFFERED_MAX);
}

/** Completes a name in a text and adds a space. */
export const withName = (text: string, name: string): string =>
  `${text.slice(0, text.lastIndexOf('@') + 1)}${name} `;

/** Colleagues whose names are offered while an @ is typed, and the function that writes one into the text. */
export interface NameOffers {
  offered: readonly string[];
  choose: (name: string) => void;
}

/** Offers colleagues to mention while `isOn`, from the first @ on. */
export function useNameOffers(text: string, setText: (text: string) => void, isOn: boolean): NameOffers {
  const me = useMe();
  const isTyping = isOn && TYPED.test(text);
  const { data } = useQuery({
    queryKey: ['colleagues'],
    queryFn: () => api('GET /api/operator/colleagues'),
    enabled: isTyping,
    staleTime: 60_000,
  });
  const others = (data?.names ?? []).filter((name) => name !== me.name);
  return {
    offered: isTyping ? namesFor(others, text) : [],
    choose: (name) => setText(withName(text, name)),
  };
}
