/** Tests of the command line tool, most of them through its command line. */
package io.posconnect.tool;
