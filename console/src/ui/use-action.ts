import { useMutation, useQueryClient } from '@tanstack/react-query';
import { announce } from './toasts.tsx';

/** Something that a person does: afterwards what changed is read again, and `done` is said. */
export function useAction<Result, Input = void>({
  run,
  done,
  changes,
}: {
  run: (input: Input) => Promise<Result>;
  done?: string;
  changes: readonly (readonly unknown[])[];
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
