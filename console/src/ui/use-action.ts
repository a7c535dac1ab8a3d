import { useMutation, useQueryClient } from '@tanstack/react-query';
import { announce } from './toasts.tsx';

/** Keys of queries that have other answers after an action. */
export type Changes = readonly (readonly unknown[])[];

/** Something that a person does: afterwards what changed is read again, and `done` is said. */
export function useAction<Result, Input = void>({
  run,
  done,
  changes,
}: {
  run: (input: Input) => Promise<Result>;
  done?: string | undefined;
  changes: Changes;
}) {
  const queries = useQueryClient();
  return useMutation<Result, Error, Input>({
    mutationFn: run,
    onSuccess: async () => {
      if (done) announce(done);
      await Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })));
    },
  });
}
