import { useNavigate, useSearch } from '@tanstack/react-router';

/** A filter whose text is the parameter `name` of the page's address, so that the address can be shared. The page's route names it too. */
export function useFilter(name = 'q'): [text: string, change: (text: string) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const text = search[name];
  const change = (next: string) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, [name]: next === '' ? undefined : next }),
      replace: true,
    });
  return [typeof text === 'string' ? text : '', change];
}
