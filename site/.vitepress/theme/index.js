// The default theme without its web font: the pages use the fonts of the system.
import DefaultTheme from 'vitepress/theme-without-fonts';
import FrontPage from './FrontPage.vue';
import Layout from './Layout.vue';
import Stories from './Stories.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component('FrontPage', FrontPage);
    app.component('Stories', Stories);
  },
};
