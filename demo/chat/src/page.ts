type PageData = {
  /** Address of the platform. */
  url: string;
  appId: string;
  /** Shows the demonstration's backend that this page asks, and no other one. */
  token: string;
};

/** What the demonstration's backend has written into the page. */
export const PAGE = JSON.parse(document.getElementById('page-data')?.textContent ?? '{}') as PageData;
