import Type from 'typebox';
import type { Parameter } from './operation.ts';

/** How a list is read page by page; a page larger than `max` is cut to it. */
export function pageParameters(max: number, of: string): Parameter[] {
  return [
    {
      name: 'page_size',
      in: 'query',
      schema: Type.Integer({ minimum: 1, default: max, description: `Items a page, at most ${max}.` }),
    },
    {
      name: 'from_id',
      in: 'query',
      schema: Type.String({ description: `The last of the ${of} of the page before: its URI or bare id.` }),
    },
  ];
}

/** Number of all items that paging reaches. */
export const COUNT_HEADER = {
  'Svc-Count': Type.Integer({ minimum: 0, description: 'Number of all items that paging reaches.' }),
};

/** Header of a list whose items move. */
export const NEXT_LINK = {
  Link: Type.Optional(
    Type.String({
      description:
        'By last message: the address of the next page, with rel `next`. It is absent from the last page.',
    }),
  ),
};
