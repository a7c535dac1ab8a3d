import { lazy, Suspense, type ComponentProps } from 'react';
import { Loading } from '../ui/page.tsx';

const Section = lazy(async () => ({ default: (await import('./figures.tsx')).FiguresSection }));

/** The charts, which are loaded after the page. */
export function LazyFigures(props: ComponentProps<typeof Section>) {
  return (
    <Suspense fallback={<Loading what="the charts" />}>
      <Section {...props} />
    </Suspense>
  );
}
