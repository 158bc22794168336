"""The screens' compiler: readable sources in ``firmware/ui`` become one small file of bytes."""
